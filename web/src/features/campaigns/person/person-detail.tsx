import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { styled } from '@mui/material/styles'
import type { getPerson } from '@portal/contracts/notifications/people'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { z } from 'zod'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { EmptyTrayIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { roleName } from '../../../ui/role-name.ts'
import { EmptyState } from '../../../ui/states.tsx'
import { deletedAccount } from '../campaign.ts'
import { PersonDeliveries } from './person-deliveries.tsx'

type PersonDetailProps = Pick<z.output<typeof getPerson.response>, 'person' | 'deliveries'> & {
  readonly back: { readonly to: string; readonly label: string }
  /** False for a deactivated account. */
  readonly canBeNotified?: boolean
  /** Above the facts. */
  readonly notice?: ReactNode
  /** Between the facts and the notifications. */
  readonly children?: ReactNode
}

const Section = styled('section')(({ theme }) => ({ marginTop: theme.spacing(8) }))

const factsOf = ({ personalEmail, emailVerified, role, universityName, studentCode }: PersonDetailProps['person']) =>
  [
    { name: 'Email', value: emailVerified ? personalEmail : `${personalEmail} (not verified)` },
    { name: 'Role', value: roleName(role) },
    { name: 'University', value: universityName },
    { name: 'Student code', value: studentCode },
  ].filter(({ value }) => value !== '')

/** One person as the other admins' pages call it up: who they are, and what they were sent. */
export const PersonDetail = ({
  person,
  deliveries,
  back,
  canBeNotified = true,
  notice,
  children,
}: PersonDetailProps) => (
  <>
    <PageTitle
      title={person.fullName || deletedAccount}
      // Names do not belong into the history of the browser.
      tabTitle="Person"
      back={back}
      actions={
        // Admins have no inbox.
        canBeNotified && person.fullName !== '' && person.role !== 'admin' ? (
          <Button component={Link} to={`/admin/notifications?to=${person.userId}`}>
            Send a notification
          </Button>
        ) : undefined
      }
    />
    {notice}
    {person.fullName !== '' && <DescriptionList items={factsOf(person)} />}
    {children}
    <Section aria-labelledby="deliveries-heading">
      <Typography variant="h2" id="deliveries-heading">
        Latest notifications
      </Typography>
      {deliveries.length === 0 ? (
        <EmptyState illustration={<EmptyTrayIllustration />} text="Nothing has been sent to this person yet" />
      ) : (
        <PersonDeliveries deliveries={deliveries} />
      )}
    </Section>
  </>
)
