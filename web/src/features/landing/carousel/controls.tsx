import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { ChevronLeftIcon, ChevronRightIcon, PauseIcon, PlayIcon } from '../../../ui/icons.tsx'

/** Keeps its room when there is nothing to control, so that nothing moves when there is. */
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

/** Before the slides in the order of reading, so that what moves by itself can be stopped first. */
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
