import { buildUrl, type AnyRoute } from '@portal/contracts/shared/route'
import { failureFrom, failureOf, overNetwork, type CallInput, type Failure } from './http.ts'
import { currentSession, endSession } from './session.ts'

/** Offers a file to the browser, as a click on a link with `download` does. */
export const offerFile = (file: Blob, name: string): void => {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has the file once it has handled the click.
  setTimeout(() => URL.revokeObjectURL(url), 0)
}

const bodyOf = async (response: Response): Promise<unknown> => {
  try {
    return await response.json()
  } catch (error) {
    console.debug('the error response is not JSON', error)
    return undefined
  }
}

/**
 * Downloads the file of a GET route. Unlike a link, it reports a failure, which it returns. Without a timeout, because a
 * large file takes long on a slow network.
 */
export const downloadFile = async <R extends AnyRoute>(
  route: R,
  input: CallInput<R>,
  name: string,
): Promise<Failure | undefined> => {
  const token = currentSession()?.token
  try {
    const accepted = route.contentType ?? 'application/json'
    const headers = { Accept: accepted, ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
    const response = await overNetwork(fetch(buildUrl(route, input), { credentials: 'include', headers }))
    if (response.status === 401 && token !== undefined && token === currentSession()?.token) endSession('ended')
    if (!response.ok) return failureOf(response.status, await bodyOf(response))
    offerFile(await overNetwork(response.blob()), name)
    return undefined
  } catch (error) {
    return failureFrom(`${route.method} ${route.path}`, error)
  }
}
