import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useRef } from 'react'
import { PreferencesSections } from '../../features/preferences/components/preferences-sections.tsx'
import { usePreferences } from '../../features/preferences/use-preferences.ts'
import { DeviceList } from '../../features/push/components/device-list.tsx'
import { ThisDevice } from '../../features/push/components/this-device.tsx'
import { useBrowserState } from '../../features/push/push-state.ts'
import { useDevices } from '../../features/push/use-devices.ts'
import { useSession } from '../../lib/session.ts'
import { useMedia } from '../../lib/use-media.ts'
import { UnpluggedIllustration } from '../../ui/illustrations.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { PageSkeleton } from '../../ui/skeletons.tsx'
import { ErrorState } from '../../ui/states.tsx'

const Sections = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(8),
  // Pages of admins are wider.
  maxWidth: theme.portal.sizes.column,
  '& section': { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: theme.spacing(3) },
}))

/**
 * Which devices get notifications, whether this one can, and what is sent to all of them. The preferences wait for the devices, whose
 * number is unknown, so that nothing shifts.
 */
export const NotificationSettingsPage = () => {
  const profile = useSession()?.user.role === 'admin' ? '/admin/profile' : '/profile'
  const heading = useRef<HTMLHeadingElement>(null)
  const browser = useBrowserState(useMedia('(display-mode: standalone)'))
  const { state, reload, refresh } = useDevices()
  const preferences = usePreferences()
  const preferencesState = state.kind === 'loading' ? state : preferences.state
  const areBothFailed = state.kind === 'failed' && preferencesState.kind === 'failed'
  const focusTitle = () => heading.current?.focus({ preventScroll: true })
  const devices = state.kind === 'loaded' ? state.data : []
  const isReady = state.kind === 'loaded' || (browser !== 'granted' && browser !== 'default')
  return (
    <>
      <PageTitle title="Notification settings" headingRef={heading} back={{ to: profile, label: 'your profile' }} />
      <Sections>
        {isReady && (
          <section aria-label="This device">
            <ThisDevice
              browser={browser}
              id={devices.find(({ isThis }) => isThis)?.id}
              onChange={refresh}
              onBlocked={focusTitle}
            />
          </section>
        )}
        {state.kind === 'failed' && (
          <ErrorState
            illustration={<UnpluggedIllustration />}
            text={`Your ${areBothFailed ? 'notification settings' : 'devices'} could not be loaded.`}
            detail={state.failure.message}
            onRetry={() => {
              void reload()
              if (areBothFailed) void preferences.reload()
            }}
          />
        )}
        {devices.length > 0 && (
          <section aria-labelledby="devices">
            <Typography variant="h2" id="devices">
              Your devices
            </Typography>
            <DeviceList devices={devices} onChange={refresh} onRemoved={focusTitle} />
          </section>
        )}
        {preferencesState.kind === 'loading' && <PageSkeleton />}
        {preferencesState.kind === 'failed' && !areBothFailed && (
          <ErrorState
            text="Your preferences could not be loaded."
            detail={preferencesState.failure.message}
            onRetry={preferences.reload}
          />
        )}
        {preferencesState.kind === 'loaded' && (
          <PreferencesSections
            {...preferencesState.data}
            onChange={(changed) => void preferences.change(preferencesState.data.preferences, changed)}
          />
        )}
      </Sections>
    </>
  )
}
