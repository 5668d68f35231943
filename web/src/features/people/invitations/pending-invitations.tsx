import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { resendInvitation, withdrawInvitation, type Invitation } from '@portal/contracts/auth/invitations'
import { useRef, useState } from 'react'
import { call } from '../../../lib/http.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { roleName } from '../../../ui/role-name.ts'
import { exactTime } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { handOver, InvitationLink } from './invitation-link.tsx'

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(3),
  marginBlock: theme.spacing(0, 8),
}))

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > li': {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: theme.spacing(2),
    paddingBlock: theme.spacing(3),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
  '& .row': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1, 4),
  },
  '& .name': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1, 2), fontWeight: 600 },
  '& p': { ...theme.typography.body2, margin: 0, color: theme.vars.palette.text.secondary },
  '& .actions': { display: 'flex', marginInline: theme.spacing(-3) },
}))

const Hint = styled('p')(({ theme }) => ({ ...theme.typography.body2, margin: 0 }))

/** More would push the people far down. */
const shownAtFirst = 5

const termOf = ({ state, expiresAt, invitedBy }: Invitation): string => {
  const term = `${state === 'expired' ? 'Expired' : 'Expires'} ${exactTime(expiresAt)}`
  return invitedBy === '' ? term : `${term} · Invited by ${invitedBy}`
}

type RowProps = {
  readonly invitation: Invitation
  readonly link: string | undefined
  readonly onSent: (link: string | undefined) => Promise<unknown>
  readonly onWithdraw: () => void
}

const Row = ({ invitation, link, onSent, onWithdraw }: RowProps) => {
  const { _id: id, fullName, personalEmail, role, state } = invitation
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const resend = async () => {
    setBusy(true)
    const answer = await call(resendInvitation, { params: { id } })
    setBusy(false)
    const subject = 'invitation'
    if (answer.success) toast.success(`Invitation of ${fullName} sent again`, { subject })
    else toast.error(answer.message, { subject })
    await onSent(answer.success ? answer.data.data.link : link)
  }
  return (
    <li>
      <div className="row">
        <div>
          <div className="name">
            {fullName}
            {state === 'expired' && <ToneBadge tone="yellow">Expired</ToneBadge>}
          </div>
          <p>{`${personalEmail} · ${roleName(role)}`}</p>
          <p>{termOf(invitation)}</p>
        </div>
        <div className="actions">
          <BusyButton
            variant="text"
            size="small"
            color="secondary"
            busy={busy}
            aria-label={`Resend the invitation of ${fullName}`}
            onClick={() => void resend()}
          >
            Resend
          </BusyButton>
          <Button
            variant="text"
            size="small"
            color="secondary"
            aria-label={`Withdraw the invitation of ${fullName}`}
            onClick={onWithdraw}
          >
            Withdraw
          </Button>
        </div>
      </div>
      {link !== undefined && (
        <>
          <Hint role="status">{handOver}</Hint>
          <InvitationLink link={link} fullName={fullName} />
        </>
      )}
    </li>
  )
}

type PendingInvitationsProps = {
  readonly invitations: readonly Invitation[]
  readonly onChange: () => Promise<unknown>
}

/** Who was invited and has no account yet. */
export const PendingInvitations = ({ invitations, onChange }: PendingInvitationsProps) => {
  const [links, setLinks] = useState<ReadonlyMap<string, string>>(new Map())
  const [asked, setAsked] = useState<Invitation | null>(null)
  const [busy, setBusy] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const toast = useToast()
  const withdraw = async ({ _id: id, fullName }: Invitation) => {
    setBusy(true)
    const answer = await call(withdrawInvitation, { params: { id } })
    setBusy(false)
    setAsked(null)
    await onChange()
    const subject = 'invitation'
    const isGone = !answer.success && answer.code === 'not-found'
    if (!answer.success && !isGone) return toast.error(answer.message, { subject })
    // The button that had the focus has disappeared.
    heading.current?.focus()
    return toast.success(`Invitation of ${fullName} withdrawn`, { subject })
  }
  const shown = isOpen ? invitations : invitations.slice(0, shownAtFirst)
  if (invitations.length === 0) return null
  return (
    <Section aria-labelledby="invitations-heading">
      <Typography variant="h2" id="invitations-heading" ref={heading} tabIndex={-1}>
        Pending invitations
      </Typography>
      <List>
        {shown.map((invitation) => (
          <Row
            key={invitation._id}
            invitation={invitation}
            link={links.get(invitation._id)}
            onSent={async (link) => {
              if (link !== undefined) setLinks((known) => new Map([...known, [invitation._id, link]]))
              await onChange()
            }}
            onWithdraw={() => setAsked(invitation)}
          />
        ))}
      </List>
      {invitations.length > shownAtFirst && (
        <div>
          <Button variant="text" color="secondary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <span>{isOpen ? 'Show fewer' : `Show all ${invitations.length}`}</span>
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asked !== null}
        question={asked === null ? '' : `Withdraw the invitation of ${asked.fullName}?`}
        consequence="The link stops working. You can invite this person again."
        confirmText="Withdraw"
        destructive
        busy={busy}
        onConfirm={() => asked && void withdraw(asked)}
        onCancel={() => setAsked(null)}
      />
    </Section>
  )
}
