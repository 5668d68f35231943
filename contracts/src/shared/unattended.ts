/** Sent, with any value, with calls that a page makes by itself while nobody uses it. They do not keep the session from being idle. */
export const unattendedHeader = 'x-unattended'
