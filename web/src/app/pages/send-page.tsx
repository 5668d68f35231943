import { CampaignsPage } from '../../features/campaigns/campaigns-page.tsx'
import type { LoadRecipients } from '../../features/campaigns/use-recipients.ts'
import { loadUsers } from '../../features/users/api.ts'

const loadRecipients: LoadRecipients = async (signal) => {
  const answer = await loadUsers(signal)
  if (!answer.success) return answer
  const recipients = answer.data.users.map(({ _id, fullName, personalEmail, role, emailVerified }) => ({
    id: _id,
    fullName,
    email: personalEmail,
    role,
    // Older servers do not say.
    isEmailVerified: emailVerified !== false,
  }))
  return { success: true, data: recipients }
}

/** The send console, with the portal's users to choose from. */
export const SendPage = () => <CampaignsPage loadRecipients={loadRecipients} />
