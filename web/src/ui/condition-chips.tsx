import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'
import { Fragment } from 'react'
import { CloseIcon } from './icons.tsx'

const Kinds = styled('ul')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(2),
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& > li': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(2), minWidth: 0 },
}))

const Word = styled('span')(({ theme }) => ({ ...theme.typography.body2, color: theme.vars.palette.text.secondary }))

const Chip = styled(ButtonBase)(({ theme }) => ({
  ...theme.typography.body2,
  maxWidth: '100%',
  justifyContent: 'space-between',
  gap: theme.spacing(2),
  minHeight: theme.portal.sizes.target,
  padding: theme.spacing(1, 2, 1, 3),
  borderRadius: theme.portal.radii.control,
  backgroundColor: theme.vars.palette.portal.accentSoft,
  textAlign: 'left',
  overflowWrap: 'anywhere',
  '& svg': { flex: 'none' },
  '&:hover': { textDecoration: 'line-through' },
}))

/** A condition of a list that can be removed. */
export type ConditionChip = {
  readonly key: string
  readonly text: string
  /** The button that adds conditions of this kind. It takes the focus when the chip is removed. */
  readonly kind: string
  readonly remove: () => void
}

type ConditionChipsProps = { readonly chips: readonly ConditionChip[]; readonly onRemoved: (kind: string) => void }

/** One line per kind: its entries are alternatives, and people must match every kind. */
export const ConditionChips = ({ chips, onRemoved }: ConditionChipsProps) => {
  const kinds = [...new Set(chips.map(({ kind }) => kind))]
  if (kinds.length === 0) return null
  return (
    <Kinds aria-label="Conditions">
      {kinds.map((kind, line) => (
        <li key={kind}>
          {line > 0 && <Word>and</Word>}
          {chips
            .filter((chip) => chip.kind === kind)
            .map(({ key, text, remove }, n) => (
              <Fragment key={key}>
                {n > 0 && <Word>or</Word>}
                <Chip
                  aria-label={`Remove ${text}`}
                  onClick={() => {
                    onRemoved(kind)
                    remove()
                  }}
                >
                  <span>{text}</span>
                  <CloseIcon size={16} />
                </Chip>
              </Fragment>
            ))}
        </li>
      ))}
    </Kinds>
  )
}
