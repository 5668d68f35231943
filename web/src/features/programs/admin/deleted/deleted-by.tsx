import { getPerson } from '@portal/contracts/notifications/people'
import type { UserId } from '@portal/contracts/shared/ids'
import { call } from '../../../../lib/http.ts'
import { useRequestQuery } from '../../../../lib/query.ts'
import { useSession } from '../../../../lib/session.ts'

const NameOf = ({ id }: { readonly id: UserId }) => {
  const { state } = useRequestQuery({
    key: ['person', id],
    request: (signal) => call(getPerson, { params: { userId: id }, signal }),
  })
  if (state.kind === 'loaded') return <span>{` by ${state.data.person.fullName}`}</span>
  return state.kind === 'failed' && state.failure.code === 'not-found' ? <span> by a deleted account</span> : null
}

/** ' by Asha Rao'. Nothing while the name is unknown. */
export const DeletedBy = ({ id }: { readonly id: UserId | undefined }) => {
  const self = useSession()?.user._id
  if (id === undefined) return null
  return id === self ? <span> by you</span> : <NameOf id={id} />
}
