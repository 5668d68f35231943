import ButtonBase from '@mui/material/ButtonBase'
import { styled } from '@mui/material/styles'
import { CloseIcon } from '../../../ui/icons.tsx'

const Chips = styled('ul')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(2),
  listStyle: 'none',
  margin: 0,
  padding: 0,
  '& > li': { minWidth: 0, maxWidth: '100%' },
}))

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

/** A condition of the rule that can be removed. */
export type RuleChip = {
  readonly key: string
  readonly text: string
  /** The button that adds conditions of this kind. It takes the focus when the chip is removed. */
  readonly kind: string
  readonly remove: () => void
}

type RuleChipsProps = { readonly chips: readonly RuleChip[]; readonly onRemoved: (kind: string) => void }

export const RuleChips = ({ chips, onRemoved }: RuleChipsProps) =>
  chips.length === 0 ? null : (
    <Chips aria-label="Conditions">
      {chips.map(({ key, text, kind, remove }) => (
        <li key={key}>
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
        </li>
      ))}
    </Chips>
  )
