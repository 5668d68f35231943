/** How much of a clip must be on the screen for it to play by itself. */
export const visibleShare = 0.7

export type Playback = {
  /** Whether it is the slide that is shown. */
  readonly isCurrent: boolean
  /** How much of it is on the screen, 0 to 1. */
  readonly share: number
  readonly wantsLessMotion: boolean
  readonly choice: 'none' | 'play' | 'pause'
}

/** A clip plays while it is seen, and stops when it is not, whatever was chosen. */
export const plays = ({ isCurrent, share, wantsLessMotion, choice }: Playback): boolean => {
  if (!isCurrent || share < visibleShare) return false
  return choice === 'play' || (choice === 'none' && !wantsLessMotion)
}
