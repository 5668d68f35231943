import Button from '@mui/material/Button'
import { userIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { getPerson } from '@portal/contracts/notifications/people'
import type { ErasureReceipt } from '@portal/contracts/auth/accounts'
import { useCallback, useState, type ComponentProps } from 'react'
import { Link, useLocation, useParams } from 'react-router-dom'
import type { z } from 'zod'
import { PersonDetail } from '../../../features/campaigns/person/person-detail.tsx'
import { AccountHistory } from '../../../features/people/account/account-history.tsx'
import { DeactivatedNotice, ErasedNotice } from '../../../features/people/account/account-notice.tsx'
import { AccountSection } from '../../../features/people/account/account-section.tsx'
import { SessionsSection } from '../../../features/people/account/sessions-section.tsx'
import { useAccount } from '../../../features/people/account/use-account.ts'
import { learnersBackOf } from '../../../features/programs/admin/learners/learner-query.ts'
import { peopleBackOf } from '../../../features/people/list/people-query.ts'
import { DevicesSection } from '../../../features/people/person/devices-section.tsx'
import { EnrollmentsSection } from '../../../features/people/person/enrollments-section.tsx'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { PageSkeleton } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'

/** The recipients of a notification lead here, too. */
const backToNotifications = { to: '/admin/notifications', label: 'notifications' }

const useBack = () => {
  const { state } = useLocation()
  return peopleBackOf(state) ?? learnersBackOf(state) ?? backToNotifications
}

const NotFound = () => (
  <>
    <PageTitle title="Person not found" back={useBack()} />
    <EmptyState
      illustration={<EmptyTrayIllustration />}
      text="There is no account at this address"
      detail="It may have been deleted."
      action={
        <Button component={Link} to="/admin/notifications" variant="outlined" color="secondary">
          All notifications
        </Button>
      }
    />
  </>
)

/** One person, their account, and the last notifications sent to them. */
export const PersonPage = () => {
  const userId = userIdSchema.safeParse(useParams()['userId'])
  return userId.success ? <KnownPerson key={userId.data} userId={userId.data} /> : <NotFound />
}

const usePerson = (userId: UserId) => {
  const request = useCallback((signal: AbortSignal) => call(getPerson, { params: { userId }, signal }), [userId])
  return useRequestQuery({ key: ['person', userId], request })
}

const Loading = () => (
  <>
    <PageTitle title="Person" back={useBack()} />
    <PageSkeleton />
  </>
)

type Deleted = Pick<Recipient, 'deliveries'> & {
  readonly person: Omit<Recipient['person'], 'fullName' | 'personalEmail'>
  readonly receipt: ErasureReceipt
}

/** Right after the deletion, with the receipt. The server no longer knows the person. */
const DeletedPerson = ({ person, deliveries, receipt, back }: Deleted & Pick<LoadedPersonProps, 'back'>) => (
  <PersonDetail
    person={{ ...person, fullName: '', personalEmail: '' }}
    deliveries={deliveries}
    back={back}
    canBeNotified={false}
    notice={<ErasedNotice receipt={receipt} />}
  />
)

const KnownPerson = ({ userId }: { readonly userId: UserId }) => {
  const back = useBack()
  const { state, reload } = usePerson(userId)
  const account = useAccount(userId)
  const [deleted, setDeleted] = useState<Deleted>()
  const onErased = async (last: Deleted) => {
    setDeleted(last)
    await Promise.all([account.reload(), reload()])
  }
  if (deleted) return <DeletedPerson {...deleted} back={back} />
  switch (state.kind) {
    case 'loading':
      return <Loading />
    case 'failed':
      if (state.failure.code === 'not-found') return <NotFound />
      return (
        <>
          <PageTitle title="Person" back={back} />
          <ErrorState
            illustration={<UnpluggedIllustration />}
            text="Failed to load this person"
            detail={state.failure.message}
            onRetry={() => void reload()}
          />
        </>
      )
    case 'loaded':
      return account.state.kind === 'loading' ? (
        <Loading />
      ) : (
        <LoadedPerson recipient={state.data} account={account} onErased={onErased} back={back} />
      )
  }
}

type BelongingsProps = Pick<z.output<typeof getPerson.response>, 'enrollments' | 'devices'> & { readonly role: string }

/** Only learners enroll. An older server sends neither. */
const Belongings = ({ role, enrollments, devices }: BelongingsProps) => (
  <>
    {enrollments && (role === 'student' || enrollments.length > 0) && <EnrollmentsSection enrollments={enrollments} />}
    {devices && <DevicesSection devices={devices} />}
  </>
)

type Recipient = Omit<z.output<typeof getPerson.response>, 'success'>
type LoadedPersonProps = Pick<ComponentProps<typeof PersonDetail>, 'back'> & {
  readonly recipient: Recipient
  readonly account: ReturnType<typeof useAccount>
  readonly onErased: (last: Deleted) => Promise<void>
}

/** The recipient is as far as notifications know; the account is the record. */
const LoadedPerson = ({ recipient, account, onErased, back }: LoadedPersonProps) => {
  const { person, enrollments, devices, deliveries } = recipient
  const known = account.state.kind === 'loaded' ? account.state.data : undefined
  const isDeleted = account.state.kind === 'failed' && account.state.failure.code === 'not-found'
  return (
    <>
      <PersonDetail
        person={isDeleted ? { ...person, fullName: '' } : { ...person, ...known }}
        deliveries={deliveries}
        back={back}
        canBeNotified={known?.state !== 'deactivated'}
        notice={known?.state === 'deactivated' && <DeactivatedNotice reason={known.deactivationReason} />}
      >
        {known && (
          <AccountSection
            person={known}
            onChange={account.reload}
            onErased={(receipt) => onErased({ person, deliveries, receipt })}
          />
        )}
        {account.state.kind === 'failed' && !isDeleted && (
          <ErrorState
            illustration={<UnpluggedIllustration />}
            text="Failed to load the account"
            detail={account.state.failure.message}
            onRetry={() => void account.reload()}
          />
        )}
        {known?.sessions && <SessionsSection sessions={known.sessions} />}
        {!isDeleted && <Belongings role={person.role} enrollments={enrollments} devices={devices} />}
      </PersonDetail>
      {known && <AccountHistory history={known.history} />}
    </>
  )
}
