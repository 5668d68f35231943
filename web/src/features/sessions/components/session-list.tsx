import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { signOutOtherSessions, signOutSession, type OpenSession } from '@portal/contracts/auth/sessions'
import { useState } from 'react'
import { call, type Answer } from '../../../lib/http.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { timeOrDate, useToday } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'
import { ToneBadge } from '../../../ui/type-badge.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > li': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: theme.spacing(1, 4),
    minHeight: 72,
    paddingBlock: theme.spacing(3),
    borderBottom: `1px solid ${theme.vars.palette.divider}`,
  },
  '& .name': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(1, 2), fontWeight: 600 },
  '& p': { ...theme.typography.body2, margin: 0, color: theme.vars.palette.text.secondary },
  // Aligns the text of the buttons with the end of the rows, or with the texts above if they are on a line of their own.
  '& button': { marginInline: theme.spacing(-3) },
}))

const textOfTimes = ({ startedAt, usedAt, isThis }: OpenSession, todayMs: number): string => {
  const started = startedAt === undefined ? [] : [`Signed in ${timeOrDate(startedAt, todayMs)}`]
  const used = usedAt === undefined || isThis ? [] : [`Last used ${timeOrDate(usedAt, todayMs)}`]
  return [...started, ...used].join(' · ')
}

type RowProps = { readonly session: OpenSession; readonly onSignOut: () => void }

const SessionRow = ({ session, onSignOut }: RowProps) => {
  const today = useToday()
  const times = textOfTimes(session, today)
  return (
    <li>
      <div>
        <div className="name">
          {session.device}
          {session.isThis && <ToneBadge tone="green">This device</ToneBadge>}
        </div>
        {times !== '' && <p>{times}</p>}
      </div>
      {!session.isThis && (
        <Button variant="text" size="small" color="secondary" onClick={onSignOut}>
          <span>
            Sign out
            <VisuallyHidden>{` ${session.device}`}</VisuallyHidden>
          </span>
        </Button>
      )}
    </li>
  )
}

const signOut = async (asked: OpenSession | 'others'): Promise<Answer<string>> => {
  if (asked === 'others') {
    const answer = await call(signOutOtherSessions, {})
    return answer.success ? { success: true, data: 'All other devices signed out' } : answer
  }
  const answer = await call(signOutSession, { params: { id: asked.id } })
  const isGone = !answer.success && answer.code === 'not-found'
  return answer.success || isGone ? { success: true, data: `${asked.device} signed out` } : answer
}

type SessionListProps = {
  readonly sessions: readonly OpenSession[]
  readonly onChange: () => Promise<unknown>
  /** A row with the focus has disappeared. */
  readonly onRemoved: () => void
}

/** Where the user is signed in. This device is signed out by the profile's Log Out button instead. */
export const SessionList = ({ sessions, onChange, onRemoved }: SessionListProps) => {
  const [asked, setAsked] = useState<OpenSession | 'others' | null>(null)
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const confirm = async (confirmed: OpenSession | 'others') => {
    setBusy(true)
    const answer = await signOut(confirmed)
    setBusy(false)
    // The dialog returns the focus to a button, which then disappears.
    setAsked(null)
    await onChange()
    const subject = 'session'
    if (!answer.success) return toast.error(answer.message, { subject })
    onRemoved()
    return toast.success(answer.data, { subject })
  }
  const device = asked === 'others' ? 'all other devices' : (asked?.device ?? '')
  return (
    <>
      <List>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} onSignOut={() => setAsked(session)} />
        ))}
      </List>
      {sessions.length > 1 ? (
        <div>
          <Button variant="outlined" color="secondary" onClick={() => setAsked('others')}>
            Sign out all others
          </Button>
        </div>
      ) : (
        <p>You are signed in nowhere else.</p>
      )}
      <ConfirmDialog
        open={asked !== null}
        question={asked === null ? '' : `Sign out ${device}?`}
        consequence="The portal stays closed there until someone logs in again. This device stays signed in."
        confirmText="Sign out"
        destructive
        busy={busy}
        onConfirm={() => asked && void confirm(asked)}
        onCancel={() => setAsked(null)}
      />
    </>
  )
}
