/** Where a one-time code goes. */
export const channels = ['email', 'mobile'] as const
export type Channel = (typeof channels)[number]

/** One value per channel that takes part. */
export type PerChannel<T> = { readonly [C in Channel]?: T | undefined }

export const channelsOf = (values: PerChannel<unknown>): readonly Channel[] =>
  channels.filter((channel) => values[channel] !== undefined)
