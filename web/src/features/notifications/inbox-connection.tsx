export const InboxConnection = () => null
