const names: Readonly<Record<string, string>> = { admin: 'Admin', faculty: 'Faculty', student: 'Student' }

export const roleName = (role: string): string => names[role] ?? role
