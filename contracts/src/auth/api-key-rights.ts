/** What an API key of an admin can be allowed to do. A module of its own, because the first screen does not need it. */
export const apiKeyRights = ['send', 'read-results'] as const
export type ApiKeyRight = (typeof apiKeyRights)[number]
