/**
 * How many sessions a user can have open: far more than anybody has devices, and few enough to end all of them in one go.
 * Whoever logs in once more ends the oldest.
 */
export const mostSessionsPerUser = 100
