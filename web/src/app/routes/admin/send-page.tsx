import { styled } from '@mui/material/styles'
import { listUsers } from '@portal/contracts/auth/http'
import { useEffect } from 'react'
import { ComposeForm } from '../../../features/campaigns/components/compose-form.tsx'
import { HistoryPanel } from '../../../features/campaigns/components/history-panel.tsx'
import type { Recipient, Recipients } from '../../../features/campaigns/recipients.ts'
import { useHistoryInAddress } from '../../../features/campaigns/use-history-address.ts'
import { call, type Answer } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { useToast } from '../../../ui/toast/atoms.ts'

const loadRecipients = async (signal: AbortSignal): Promise<Answer<readonly Recipient[]>> => {
  const answer = await call(listUsers, { signal })
  if (!answer.success) return answer
  const recipients = answer.data.users.map(({ _id, fullName, personalEmail, role, emailVerified }) => ({
    id: _id,
    fullName,
    email: personalEmail,
    role,
    // Older servers omit it.
    isEmailVerified: emailVerified !== false,
  }))
  return { success: true, data: recipients }
}

const useRecipients = (): Recipients => {
  const { state, reload } = useRequestQuery({ key: ['recipients'], request: loadRecipients })
  const toast = useToast()
  useEffect(() => {
    if (state.kind === 'failed') toast.error('Failed to load data')
  }, [state, toast])
  return { state, reload }
}

const Width = styled('div')({ containerType: 'inline-size' })

/** A container query: two columns depend on the available width, not on the window. */
const twoColumns = '@container (min-width: 800px)'

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(10),
  '& > *': { minWidth: 0 },
  [twoColumns]: { gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 6fr)', alignItems: 'start' },
}))

/** Sticky, so that the progress of a campaign stays visible while the admin scrolls the form. */
const Following = styled('div')(({ theme }) => ({ [twoColumns]: { position: 'sticky', top: theme.spacing(4) } }))

/** The send form on the left, the history of campaigns on the right. */
export const SendPage = () => {
  const recipients = useRecipients()
  const { panel, showNewest } = useHistoryInAddress()
  return (
    <>
      <PageTitle title="Notifications" />
      <Width>
        <Columns>
          <ComposeForm recipients={recipients} onSent={showNewest} />
          <Following>
            <HistoryPanel {...panel} />
          </Following>
        </Columns>
      </Width>
    </>
  )
}
