export const UnreadBadge = () => null
