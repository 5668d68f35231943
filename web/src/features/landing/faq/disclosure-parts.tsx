import { styled } from '@mui/material/styles'
import { useId, type ReactNode } from 'react'
import { ChevronDownIcon } from '../../../ui/icons.tsx'
import { piecesOf } from './search.ts'

const Toggle = styled('button')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(4),
  width: '100%',
  minHeight: theme.portal.sizes.target,
  padding: theme.spacing(4, 0),
  border: 0,
  background: 'none',
  color: 'inherit',
  font: 'inherit',
  letterSpacing: 'inherit',
  textAlign: 'left',
  cursor: 'pointer',
  borderRadius: theme.portal.radii.control,
  '& svg': {
    flex: 'none',
    color: theme.vars.palette.text.secondary,
    transition: `transform ${theme.portal.motion.steadyMs}ms ${theme.portal.motion.easing}`,
  },
  '&[aria-expanded="true"] svg': { transform: 'rotate(180deg)', color: theme.vars.palette.primary.main },
}))

const Heading = styled('div')({ margin: 0 })

const Hit = styled('mark')(({ theme }) => ({
  background: theme.vars.palette.portal.tones.yellow.ground,
  color: theme.vars.palette.portal.tones.yellow.text,
  borderRadius: 2,
}))

/** A text with what was searched for marked in it. */
export const Marked = ({ text, searched }: { text: string; searched: string }) =>
  piecesOf(text, searched).map(({ text: piece, isHit }, n) => (isHit ? <Hit key={n}>{piece}</Hit> : piece))

type UnfoldingProps = {
  readonly level: 'h3' | 'h4'
  readonly title: ReactNode
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

/** A heading that unfolds what belongs to it. */
export const Unfolding = ({ level, title, isOpen, onToggle, children }: UnfoldingProps) => {
  const id = useId()
  return (
    <>
      <Heading as={level}>
        <Toggle
          type="button"
          id={`${id}-button`}
          aria-expanded={isOpen}
          aria-controls={`${id}-region`}
          onClick={onToggle}
        >
          <span>{title}</span>
          <ChevronDownIcon size={20} />
        </Toggle>
      </Heading>
      <div role="region" id={`${id}-region`} aria-labelledby={`${id}-button`} hidden={!isOpen}>
        {children}
      </div>
    </>
  )
}
