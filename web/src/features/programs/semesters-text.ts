export const semestersText = (count: number): string => `${count} ${count === 1 ? 'semester' : 'semesters'}`
