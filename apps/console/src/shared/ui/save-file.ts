import type { DownloadedFile } from '../api/create-download.ts'

/** Starts the browser's download of a file. */
export function saveFile({ name, content }: DownloadedFile): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has started; release the memory of the object URL.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
