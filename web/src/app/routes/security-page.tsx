import { styled } from '@mui/material/styles'
import { useRef } from 'react'
import { SecondFactorSettings } from '../../features/security/components/second-factor-settings.tsx'
import { useSecondFactor } from '../../features/security/use-second-factor.ts'
import { useSession } from '../../lib/session.ts'
import { UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { ErrorState } from '../../ui/states.tsx'

const Section = styled('section')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  // Pages of admins are wider.
  maxWidth: theme.portal.sizes.column,
}))

/** Two-step verification of the user. */
export const SecurityPage = () => {
  const user = useSession()?.user
  const heading = useRef<HTMLHeadingElement>(null)
  const { state, reload, refresh } = useSecondFactor()
  const title = 'Two-step verification'
  if (!user) return null
  const profile = user.role === 'admin' ? '/admin/profile' : '/profile'
  return (
    <>
      <PageTitle title={title} headingRef={heading} back={{ to: profile, label: 'your profile' }} />
      <Section aria-label={title}>
        {state.kind === 'loading' && <PageSkeleton />}
        {state.kind === 'failed' && (
          <ErrorState
            illustration={<UnpluggedIllustration />}
            text="Two-step verification could not be loaded."
            detail={state.failure.message}
            onRetry={reload}
          />
        )}
        {state.kind === 'loaded' && (
          <SecondFactorSettings
            email={user.personalEmail}
            secondFactor={state.data}
            onChange={refresh}
            onFocusLost={() => heading.current?.focus({ preventScroll: true })}
          />
        )}
      </Section>
    </>
  )
}
