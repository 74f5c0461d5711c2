import type { DownloadedFile } from '../api/create-download.ts'

/** Lets the browser keep a file where the user keeps such things. */
export function saveFile({ name, content }: DownloadedFile): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun with it by then; the address would keep the bytes.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
