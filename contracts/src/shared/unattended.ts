/** Sent with calls that a page makes by itself while nobody is at it, with any value. They do not count as a use of the session. */
export const unattendedHeader = 'x-unattended'
