/** How long a slide is shown. */
export const intervalMs = 3_000
/** The shortest drag that selects another slide. */
export const swipeThresholdPx = 50

/** What decides whether the slides advance. */
export type Attention = {
  readonly isHovered: boolean
  readonly isFocused: boolean
  readonly isDragged: boolean
  readonly wantsLessMotion: boolean
  /** The last press of the play button, if any. */
  readonly choice: 'none' | 'play' | 'pause'
}

/** Nothing moves under a pointer, the keyboard focus or a finger; nor with reduced motion, unless the reader presses play. */
export const advances = ({ isHovered, isFocused, isDragged, wantsLessMotion, choice }: Attention): boolean => {
  if (isHovered || isFocused || isDragged) return false
  return choice === 'play' || (choice === 'none' && !wantsLessMotion)
}

/** Whether the button offers to pause; hovering, focus and drags do not change it. */
export const isPlaying = ({ wantsLessMotion, choice }: Pick<Attention, 'wantsLessMotion' | 'choice'>): boolean =>
  choice === 'play' || (choice === 'none' && !wantsLessMotion)

/** The slide to select after a drag: the next (dragged left), the previous (right), or the same. */
export const slideAfterDrag = (from: number, movedPx: number, count: number): number => {
  if (count <= 0 || Math.abs(movedPx) < swipeThresholdPx) return from
  const step = movedPx < 0 ? 1 : -1
  return (from + step + count) % count
}
