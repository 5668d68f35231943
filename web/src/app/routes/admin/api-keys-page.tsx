import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { maxApiKeys } from '@portal/contracts/auth/api-keys'
import { useRef, useState } from 'react'
import { ApiKeyList } from '../../../features/api-keys/api-key-list.tsx'
import { ApiKeyExample } from '../../../features/api-keys/example.tsx'
import { type NewKey, NewKeyDialog } from '../../../features/api-keys/new-key-dialog.tsx'
import { ShownKey } from '../../../features/api-keys/shown-key.tsx'
import { useApiKeys } from '../../../features/api-keys/use-api-keys.ts'
import { UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { PageSkeleton } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'

const Section = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(6),
  maxWidth: theme.portal.sizes.column,
}))

/** The keys with which programs send notifications and read results in the name of the admin. */
export const ApiKeysPage = () => {
  const heading = useRef<HTMLHeadingElement>(null)
  const focusHeading = () => heading.current?.focus({ preventScroll: true })
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<NewKey>()
  const { state, reload, refresh } = useApiKeys()
  const count = state.kind === 'loaded' ? state.data.length : 0
  return (
    <>
      <PageTitle
        title="API keys"
        headingRef={heading}
        back={{ to: '/admin/profile', label: 'your profile' }}
        actions={
          <Button disabled={count >= maxApiKeys} onClick={() => setCreating(true)}>
            <span>New key</span>
          </Button>
        }
      />
      <Section>
        {created && (
          <ShownKey
            created={created}
            onDone={() => {
              setCreated(undefined)
              focusHeading()
            }}
          />
        )}
        {state.kind === 'loading' && <PageSkeleton />}
        {state.kind === 'failed' && (
          <ErrorState
            illustration={<UnpluggedIllustration />}
            text="Your API keys could not be loaded."
            detail={state.failure.message}
            onRetry={reload}
          />
        )}
        {state.kind === 'loaded' && count === 0 && (
          <EmptyState
            text="You have no API keys."
            detail="With a key, another program sends notifications in your name."
          />
        )}
        {state.kind === 'loaded' && count > 0 && (
          <ApiKeyList apiKeys={state.data} onChange={refresh} onRemoved={focusHeading} />
        )}
        {count >= maxApiKeys && <p>{`You have ${maxApiKeys} keys. Revoke one to create another.`}</p>}
        <ApiKeyExample />
      </Section>
      {isCreating && (
        <NewKeyDialog
          onCancel={() => setCreating(false)}
          onCreated={(given) => {
            setCreating(false)
            setCreated(given)
            void refresh()
          }}
        />
      )}
    </>
  )
}
