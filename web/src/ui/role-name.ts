const names: Readonly<Record<string, string>> = { admin: 'Admin', faculty: 'Faculty', student: 'Student' }

/** A role as it is read. */
export const roleName = (role: string): string => names[role] ?? role
