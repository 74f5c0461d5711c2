import { vi } from 'vitest'
import type { DownloadedFile } from '../api/create-download.ts'

/** Catches the files that one test saves, in their order: the light DOM would leave the page for them. */
export function catchDownloads(): readonly DownloadedFile[] {
  const downloads: DownloadedFile[] = []
  const contents = new Map<string, Blob>()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    if (!(content instanceof Blob)) throw new Error('only files are saved')
    const url = `blob:${contents.size}`
    contents.set(url, content)
    return url
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const content = contents.get(this.getAttribute('href') ?? '')
    if (content) downloads.push({ name: this.download, content })
  })
  return downloads
}

/** The lines of a caught file, headings first. */
export const readLines = async (file: DownloadedFile | undefined): Promise<readonly string[]> =>
  (await file?.content.text())?.trim().split('\r\n') ?? []
