import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { LearnerInvitation } from '@portal/contracts/catalog/learner-invitations'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { Link } from 'react-router-dom'
import { groupedAsInIndia } from '../../../../../lib/number-format.ts'
import { BusyButton } from '../../../../../ui/busy-button.tsx'
import { ConfirmDialog } from '../../../../../ui/confirm-dialog.tsx'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../../../ui/illustrations.tsx'
import { Pager } from '../../../../../ui/pager.tsx'
import { DelayedFadeIn } from '../../../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../../../ui/states.tsx'
import { dayText, useNow } from '../../../../../ui/time.tsx'
import { ToneBadge } from '../../../../../ui/type-badge.tsx'
import { learnersPath } from '../learner-query.ts'
import { useFocusKept } from '../use-focus-kept.ts'
import { MailNote } from './mail-note.tsx'
import { useInvitationChanges } from './use-invitation-changes.ts'
import type { Invited } from './use-invited.ts'

const Head = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: theme.spacing(2, 4),
  marginBottom: theme.spacing(3),
  fontVariantNumeric: 'tabular-nums',
}))

const List = styled('ul')(({ theme }) => ({
  ...theme.typography.body2,
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  transition: theme.transitions.create('opacity'),
  '&[aria-busy="true"]': { opacity: 0.6 },
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1, 4),
    paddingBlock: theme.spacing(3),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
    overflowWrap: 'anywhere',
  },
  '& .email': { ...theme.typography.subtitle2, display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1, 2) },
  '& p': { margin: 0, color: theme.vars.palette.text.secondary },
  '& .actions': { display: 'flex', marginInline: theme.spacing(-3) },
}))

const Content = styled('section')({ '&:focus': { outline: 'none' } })

const termOf = ({ invitedAt, invitedBy, expiresAt }: LearnerInvitation, isExpired: boolean): string =>
  `Invited ${dayText(invitedAt)} by ${invitedBy || 'a deleted account'} · ${isExpired ? 'expired' : 'expires'} ${dayText(expiresAt)}`

type RowProps = {
  readonly invitation: LearnerInvitation
  readonly busy: boolean
  readonly onResend: () => void
  readonly onWithdraw: () => void
}

const Row = ({ invitation, busy, onResend, onWithdraw }: RowProps) => {
  const { email, expiresAt } = invitation
  const isExpired = Date.parse(expiresAt) <= useNow()
  return (
    <li>
      <div>
        <div className="email">
          {email}
          {isExpired && <ToneBadge tone="yellow">Expired</ToneBadge>}
        </div>
        <p>{termOf(invitation, isExpired)}</p>
      </div>
      <div className="actions">
        <BusyButton
          variant="text"
          size="small"
          color="secondary"
          busy={busy}
          aria-label={`Resend the invitation of ${email}`}
          onClick={onResend}
        >
          Resend
        </BusyButton>
        <Button
          variant="text"
          size="small"
          color="secondary"
          aria-label={`Withdraw the invitation of ${email}`}
          onClick={onWithdraw}
        >
          Withdraw
        </Button>
      </div>
    </li>
  )
}

type InvitedListProps = { readonly programId: ProgramRecordId; readonly invited: Invited }

const Rows = ({ programId, invited }: InvitedListProps) => {
  const { state, isBusy, reload, refresh, showPage } = invited
  const { asked, busy, ask, resend, withdraw } = useInvitationChanges(programId, refresh)
  switch (state.kind) {
    case 'loading':
      return (
        <DelayedFadeIn role="status" aria-label="Loading invitations">
          <Skeleton variant="rounded" height={320} />
        </DelayedFadeIn>
      )
    case 'failed':
      return (
        <ErrorState
          illustration={<UnpluggedIllustration />}
          text="Failed to load invitations"
          detail={state.failure.message}
          onRetry={reload}
        />
      )
    case 'loaded': {
      const { invitations, pagination } = state.data
      return (
        <>
          {pagination.total === 0 ? (
            <EmptyState
              illustration={<EmptyTrayIllustration />}
              text="No one is invited"
              detail="Enroll addresses without an account to invite them."
            />
          ) : (
            <>
              <List aria-label="Invited" aria-busy={isBusy || undefined}>
                {invitations.map((invitation) => (
                  <Row
                    key={invitation._id}
                    invitation={invitation}
                    busy={busy === invitation._id && asked === null}
                    onResend={() => void resend(invitation)}
                    onWithdraw={() => ask(invitation)}
                  />
                ))}
              </List>
              <Pager pagination={pagination} noun="invitations" onPage={showPage} />
            </>
          )}
          <ConfirmDialog
            open={asked !== null}
            question={asked === null ? '' : `Withdraw the invitation of ${asked.email}?`}
            consequence="This person is not enrolled when they register. You can invite them again."
            confirmText="Withdraw"
            destructive
            busy={busy !== undefined}
            onConfirm={() => asked && void withdraw(asked)}
            onCancel={() => ask(null)}
          />
        </>
      )
    }
  }
}

/** Who is invited to a program and has no account yet, with the mail that an admin can send again. */
export const InvitedList = ({ programId, invited }: InvitedListProps) => {
  const content = useFocusKept()
  const { total } = invited
  return (
    <Content ref={content} tabIndex={-1}>
      <Head>
        <Typography variant="h2">{total ? `Invited (${groupedAsInIndia(total)})` : 'Invited'}</Typography>
        <Button component={Link} to={learnersPath(programId)} size="small" variant="outlined" color="secondary">
          All learners
        </Button>
      </Head>
      <Typography variant="body2" component="p" sx={{ marginBottom: 3 }}>
        <MailNote>Each is enrolled when they register with this address.</MailNote>
      </Typography>
      <Rows programId={programId} invited={invited} />
    </Content>
  )
}
