/** How long a slide stays before the next one comes. */
export const intervalMs = 3_000
/** How far a finger has to move before letting go turns the page. */
export const swipeThresholdPx = 50

/** What speaks for and against moving on by itself. */
export type Attention = {
  readonly isHovered: boolean
  readonly isFocused: boolean
  readonly isDragged: boolean
  readonly wantsLessMotion: boolean
  /** What the reader chose with the button, if anything. */
  readonly choice: 'none' | 'play' | 'pause'
}

/** Nothing moves under a pointer, a keyboard or a finger; nor where less motion is wanted, unless it is asked for. */
export const advances = ({ isHovered, isFocused, isDragged, wantsLessMotion, choice }: Attention): boolean => {
  if (isHovered || isFocused || isDragged) return false
  return choice === 'play' || (choice === 'none' && !wantsLessMotion)
}

/** Whether the button offers to pause, whatever holds the slides at this moment. */
export const isPlaying = ({ wantsLessMotion, choice }: Pick<Attention, 'wantsLessMotion' | 'choice'>): boolean =>
  choice === 'play' || (choice === 'none' && !wantsLessMotion)

/** Where a drag leads: one slide on, one back, or where it began. To the left is on. */
export const slideAfterDrag = (from: number, movedPx: number, count: number): number => {
  if (count <= 0 || Math.abs(movedPx) < swipeThresholdPx) return from
  const step = movedPx < 0 ? 1 : -1
  return (from + step + count) % count
}
