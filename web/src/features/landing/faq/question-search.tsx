import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { SearchIcon } from '../../../ui/icons.tsx'

const iconPx = 20
const insetPx = 14

const Box = styled('div')(({ theme }) => ({
  margin: theme.spacing(8, 0, 6),
  '& label': { ...theme.typography.subtitle2, display: 'block', marginBottom: theme.spacing(1.5) },
  '& div': { position: 'relative' },
  '& svg': {
    position: 'absolute',
    left: insetPx,
    top: insetPx,
    color: theme.vars.palette.text.secondary,
    pointerEvents: 'none',
  },
  '& input': {
    font: 'inherit',
    color: 'inherit',
    width: '100%',
    height: 48,
    padding: `0 ${insetPx}px 0 calc(${insetPx + iconPx}px + ${theme.spacing(2)})`,
    border: `1px solid ${theme.vars.palette.portal.edge}`,
    borderRadius: theme.portal.radii.control,
    backgroundColor: theme.vars.palette.background.paper,
    transition: `border-color ${theme.portal.motion.quickMs}ms ${theme.portal.motion.easing}`,
  },
  '& input:hover': { borderColor: theme.vars.palette.text.primary },
  '& input:focus': {
    borderColor: theme.vars.palette.text.primary,
    boxShadow: `inset 0 0 0 1px ${theme.vars.palette.text.primary}`,
    // Shown where the system forces its own colors.
    outline: '2px solid transparent',
  },
}))

type QuestionSearchProps = { readonly text: string; readonly onChange: (text: string) => void }

/** Looks like the other fields, without their library: visitors of the landing page load no other field. */
export const QuestionSearch = ({ text, onChange }: QuestionSearchProps) => {
  const id = useId()
  return (
    <Box role="search" aria-label="Questions">
      <label htmlFor={id}>Search the questions</label>
      <div>
        <SearchIcon size={iconPx} />
        <input
          id={id}
          type="search"
          autoComplete="off"
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
    </Box>
  )
}
