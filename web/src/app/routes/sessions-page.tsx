import { styled } from '@mui/material/styles'
import { useRef } from 'react'
import { SessionList } from '../../features/sessions/components/session-list.tsx'
import { useSessions } from '../../features/sessions/use-sessions.ts'
import { useSession } from '../../lib/session.ts'
import { UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { ErrorState } from '../../ui/states.tsx'

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(6),
  // Pages of admins are wider.
  maxWidth: theme.portal.sizes.column,
}))

/** Where the user is signed in, to sign out elsewhere. */
export const SessionsPage = () => {
  const profile = useSession()?.user.role === 'admin' ? '/admin/profile' : '/profile'
  const heading = useRef<HTMLHeadingElement>(null)
  const { state, reload, refresh } = useSessions()
  const title = 'Where you are signed in'
  return (
    <>
      <PageTitle title={title} headingRef={heading} back={{ to: profile, label: 'your profile' }} />
      <Section aria-label={title}>
        {state.kind === 'loading' && <PageSkeleton />}
        {state.kind === 'failed' && (
          <ErrorState
            illustration={<UnpluggedIllustration />}
            text="Your devices could not be loaded."
            detail={state.failure.message}
            onRetry={reload}
          />
        )}
        {state.kind === 'loaded' && (
          <SessionList
            sessions={state.data}
            onChange={refresh}
            onRemoved={() => heading.current?.focus({ preventScroll: true })}
          />
        )}
      </Section>
    </>
  )
}
