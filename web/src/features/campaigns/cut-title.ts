import { limits } from '@portal/contracts/shared/rules'

/** Cuts to the limit, but neither within a character nor within a placeholder. */
export const cutTitle = (title: string): string =>
  title.length <= limits.titleChars
    ? title
    : title.slice(0, limits.titleChars).replace(/\{\{[^{}]*\}?$|[\uD800-\uDBFF]$/, '')
