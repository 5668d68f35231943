import Typography from '@mui/material/Typography'
import type { Person } from '@portal/contracts/auth/accounts'
import { timeOrDate, useToday } from '../../../ui/time.tsx'
import { PersonRows, PersonSection } from '../person/person-section.tsx'

type Session = NonNullable<Person['sessions']>[number]

const factsOf = ({ startedAt, usedAt }: Session, todayMs: number): string =>
  [
    ...(startedAt === undefined ? [] : [`Signed in ${timeOrDate(startedAt, todayMs)}`]),
    ...(usedAt === undefined ? [] : [`Last used ${timeOrDate(usedAt, todayMs)}`]),
  ].join(' · ')

/** Where a person is signed in, without addresses. */
export const SessionsSection = ({ sessions }: { readonly sessions: readonly Session[] }) => {
  const today = useToday()
  return (
    <PersonSection id="sessions" title="Signed in">
      {sessions.length === 0 ? (
        <Typography color="textSecondary">Signed in nowhere.</Typography>
      ) : (
        <PersonRows>
          {sessions.map((session) => (
            <li key={session.id}>
              <span className="name">{session.device}</span>
              <span>{factsOf(session, today)}</span>
            </li>
          ))}
        </PersonRows>
      )}
    </PersonSection>
  )
}
