// The script of the development mailbox (mailbox-page.ts): refreshes the list, filters it, and copies codes and links.
const refreshMs = 2_000
const copiedMs = 2_000

const list = document.querySelector('#messages')
const filter = document.querySelector('#filter')
const count = document.querySelector('#count')
const empty = document.querySelector('#empty')

const timeAgo = (at) => {
  const seconds = Math.round((Date.now() - Date.parse(at)) / 1_000)
  if (Number.isNaN(seconds)) return at
  if (seconds < 1) return 'just now'
  if (seconds < 60) return `${seconds} s ago`
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min ago` : new Date(at).toLocaleString()
}

const showTimes = () => {
  for (const time of document.querySelectorAll('time')) {
    const text = timeAgo(time.dateTime)
    if (time.textContent !== text) time.textContent = text
    time.title = new Date(time.dateTime).toLocaleString()
  }
}

const nounFor = (number) => (number === 1 ? 'message' : 'messages')

const applyFilter = () => {
  const wanted = filter.value.trim().toLowerCase()
  const messages = [...list.children]
  for (const message of messages) message.hidden = !message.dataset.to.includes(wanted)
  const shown = messages.filter((message) => !message.hidden).length
  const text =
    wanted === ''
      ? `${messages.length} ${nounFor(messages.length)}`
      : `${shown} of ${messages.length} ${nounFor(messages.length)}`
  if (count.textContent !== text) count.textContent = text
  empty.hidden = shown > 0
  empty.textContent = messages.length === 0 ? 'Nothing has been sent yet.' : 'No messages to this address.'
}

/** Keeps the entries that are shown, so that the focus and a selection survive. */
const refresh = async () => {
  const response = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' })
  if (!response.ok) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const latest = [...page.querySelectorAll('#messages > li')]
  const known = new Set([...list.children].map((message) => message.dataset.id))
  const kept = new Set(latest.map((message) => message.dataset.id))
  for (const message of list.querySelectorAll('li')) if (!kept.has(message.dataset.id)) message.remove()
  const arrived = latest.filter((message) => !known.has(message.dataset.id))
  for (const message of arrived) message.classList.add('new')
  list.prepend(...arrived)
  applyFilter()
}

const poll = async () => {
  try {
    if (!document.hidden) await refresh()
  } catch {
    // The portal restarts; the next poll finds it again.
  }
  showTimes()
  setTimeout(poll, refreshMs)
}

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('.copy')
  if (!button) return
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Copy failed'
  }
  setTimeout(() => (button.textContent = 'Copy'), copiedMs)
})

// A reload keeps the filter.
filter.value = decodeURIComponent(location.hash.slice(1))
filter.addEventListener('input', () => {
  history.replaceState(null, '', filter.value === '' ? location.pathname : `#${encodeURIComponent(filter.value)}`)
  applyFilter()
})
applyFilter()
showTimes()
setTimeout(poll, refreshMs)
