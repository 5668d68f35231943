/** The request of the first page of the inbox (features/notifications/use-inbox.ts). */
export const newestNotifications = '/notifications?page=1&limit=10'

type Shown = { readonly title: string; readonly message: string; readonly type: string; readonly isRead: boolean }

const write = (row: Element, { title, message, type, isRead }: Shown): void => {
  const [titleAt, messageAt, typeAt] = row.children
  titleAt?.append(title || 'Notification')
  messageAt?.append(message)
  typeAt?.append(type || 'General')
  row.classList.toggle('unread', !isRead)
}

/** What the API has validated, from the portal itself. It is only written as text. */
const shownIn = (answer: unknown): readonly Shown[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod is larger than the whole shell
  (answer as { readonly notifications: readonly Shown[] }).notifications

/** Shows the newest notifications while the scripts of the page load. They take seconds on a slow network, an answer does not. */
export const fillInbox = async (shell: HTMLElement, request: Promise<unknown>): Promise<void> => {
  try {
    const answer = await request
    if (!answer) return
    const notifications = shownIn(answer)
    for (const [n, row] of [...shell.querySelectorAll('[data-rows]>div')].entries()) {
      const shown = notifications[n]
      if (shown) write(row, shown)
      else row.remove()
    }
    shell.setAttribute('data-filled', '')
  } catch (error) {
    console.debug('no early inbox', error)
  }
}
