import { styled } from '@mui/material/styles'
import { CheckBox } from '../../../../../ui/check-box.tsx'

const Tick = styled('label')(({ theme }) => ({
  ...theme.typography.body2,
  display: 'inline-flex',
  alignItems: 'center',
  gap: theme.spacing(3),
  minHeight: theme.portal.sizes.target,
  cursor: 'pointer',
}))

type MarkPageProps = { readonly marked: 'all' | 'some' | 'none'; readonly onToggle: () => void }

/** Marks all learners of the page, or none if all are marked. */
export const MarkPage = ({ marked, onToggle }: MarkPageProps) => (
  <Tick>
    <CheckBox
      type="checkbox"
      checked={marked === 'all'}
      ref={(box) => {
        if (box) box.indeterminate = marked === 'some'
      }}
      onChange={onToggle}
    />
    Mark all on this page
  </Tick>
)
