import { useEffect, useState } from 'react'

/** In WebAuthn, what happens between the page's request for a passkey and its answer. */
const createCeremony = () => {
  let controller: AbortController | undefined
  return {
    /** The signal aborts when the user leaves what has asked. */
    begin: (): AbortSignal => {
      controller = new AbortController()
      return controller.signal
    },
    cancel: (): void => controller?.abort(),
  }
}

/** Is canceled with the component, so that no late passkey acts on a page that the user has left. */
export const useCeremony = () => {
  const [ceremony] = useState(createCeremony)
  useEffect(() => ceremony.cancel, [ceremony])
  return ceremony
}
