import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { ChevronLeftIcon, ChevronRightIcon, PauseIcon, PlayIcon } from '../../../ui/icons.tsx'

export const Viewport = styled('div')({
  overflow: 'hidden',
  '&[data-movable="true"]': { cursor: 'grab' },
  '&[data-movable="true"]:active': { cursor: 'grabbing' },
})

/** Vertical swipes scroll the page, horizontal ones the carousel. */
export const Slides = styled('ul')(({ theme }) => ({
  display: 'flex',
  listStyle: 'none',
  margin: 0,
  padding: 0,
  touchAction: 'pan-y pinch-zoom',
  '& > li': { flex: '0 0 auto', minWidth: 0 },
  // Space between slides that each fill the viewport: outside of it at both ends.
  '&[data-spaced]': { marginLeft: theme.spacing(-5), '& > li': { paddingLeft: theme.spacing(5) } },
}))

/** Keeps its height when there is nothing to control, so that nothing moves when there is. */
const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'flex-end',
  minHeight: theme.portal.sizes.target,
  gap: theme.spacing(1),
  '& .place': {
    ...theme.typography.body2,
    marginRight: theme.spacing(2),
    color: theme.vars.palette.text.secondary,
    fontVariantNumeric: 'tabular-nums',
  },
  '& button': { border: `1px solid ${theme.vars.palette.portal.edge}`, color: theme.vars.palette.text.primary },
}))

type CarouselControlsProps = {
  readonly selected: number
  readonly count: number
  readonly isPlaying: boolean
  readonly playLabel: string
  readonly pauseLabel: string
  readonly onToggle: () => void
  readonly onPrevious: () => void
  readonly onNext: () => void
}

/** Placed before the slides in reading order, so that the movement can be stopped first. */
export const CarouselControls = (props: CarouselControlsProps) => (
  <Bar>
    {props.count > 1 && (
      <>
        <span className="place">{`${props.selected + 1} of ${props.count}`}</span>
        <IconButton aria-label={props.isPlaying ? props.pauseLabel : props.playLabel} onClick={props.onToggle}>
          {props.isPlaying ? <PauseIcon size={20} /> : <PlayIcon size={20} />}
        </IconButton>
        <IconButton aria-label="Previous" onClick={props.onPrevious}>
          <ChevronLeftIcon size={20} />
        </IconButton>
        <IconButton aria-label="Next" onClick={props.onNext}>
          <ChevronRightIcon size={20} />
        </IconButton>
      </>
    )}
  </Bar>
)
