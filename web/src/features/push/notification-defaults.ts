/** What a notification has where its message says nothing: the worker and the page show the same. */
export const defaultIcon = '/icons/icon-192.png'
export const defaultUrl = '/notification'
