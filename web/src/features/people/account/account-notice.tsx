import { styled } from '@mui/material/styles'
import type { ErasureReceipt } from '@portal/contracts/auth/accounts'
import type { ReactNode } from 'react'
import { exactTime } from '../../../ui/time.tsx'

const Line = styled('p')(({ theme }) => ({
  ...theme.typography.body2,
  margin: theme.spacing(0, 0, 5),
  padding: theme.spacing(3, 4),
  borderLeft: `3px solid ${theme.vars.palette.primary.main}`,
  backgroundColor: theme.vars.palette.portal.accentSoft,
  overflowWrap: 'anywhere',
}))

const Notice = ({ children }: { readonly children: ReactNode }) => <Line role="status">{children}</Line>

export const DeactivatedNotice = ({ reason = '' }: { readonly reason?: string | undefined }) => (
  <Notice>{`This account is deactivated: ${reason}`}</Notice>
)

export const ErasedNotice = ({ receipt }: { readonly receipt: ErasureReceipt }) => (
  <Notice>{`This account was deleted on ${exactTime(receipt.erasedAt)}. Receipt: ${receipt.id}`}</Notice>
)
