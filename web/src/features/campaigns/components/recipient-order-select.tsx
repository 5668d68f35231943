import { styled } from '@mui/material/styles'
import { recipientOrders, type RecipientOrder } from '../recipients.ts'

/** The browser's own list: small, and every device knows how to show it. */
const Select = styled('select')(({ theme }) => ({
  ...theme.typography.body2,
  minHeight: theme.portal.sizes.target,
  paddingInline: theme.spacing(2),
  marginRight: theme.spacing(1),
  border: 'none',
  borderRadius: theme.portal.radii.control,
  color: theme.vars.palette.text.secondary,
  background: theme.vars.palette.background.paper,
  cursor: 'pointer',
  '&:hover': { color: theme.vars.palette.text.primary },
  '&:focus-visible': { outlineOffset: -3 },
}))

const labels: Readonly<Record<RecipientOrder, string>> = { fullName: 'By name', email: 'By email', role: 'By role' }

type RecipientOrderSelectProps = { readonly order: RecipientOrder; readonly onOrder: (order: RecipientOrder) => void }

export const RecipientOrderSelect = ({ order, onOrder }: RecipientOrderSelectProps) => (
  <Select
    aria-label="Sort users"
    value={order}
    onChange={({ target }) => {
      const chosen = recipientOrders.find((one) => one === target.value)
      if (chosen) onOrder(chosen)
    }}
  >
    {recipientOrders.map((one) => (
      <option key={one} value={one}>
        {labels[one]}
      </option>
    ))}
  </Select>
)
