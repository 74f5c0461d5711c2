import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLiveNews } from '../../../shared/live/use-live.ts'
import { saveFile } from '../../../shared/ui/save-file.ts'
import { downloadRows, type ExportAsked, type FileKind } from './export-query.ts'

interface Wanted {
  readonly asked: ExportAsked
  readonly kind: FileKind
}

/** An export under way: rows the server put into the file, bytes that are here. */
export interface ExportFigures {
  readonly rows: number
  readonly bytes: number
}

const NOTHING: ExportFigures = { rows: 0, bytes: 0 }

/** Gets a file with its progress; leaving gives it up. */
export function useExport(onSaved: (name: string) => void) {
  const [figures, setFigures] = useState(NOTHING)
  const stop = useRef<AbortController>(undefined)
  const progressId = useRef('')
  useLiveNews((news) => {
    if (news.type !== 'export' || news.progressId !== progressId.current) return
    setFigures(({ bytes }) => ({ bytes, rows: news.rows }))
  })
  const file = useMutation({
    mutationFn({ asked, kind }: Wanted) {
      const controller = new AbortController()
      stop.current = controller
      // Not randomUUID: an installation may be plain HTTP, where the browser has none.
      progressId.current = [...crypto.getRandomValues(new Uint32Array(3))]
        .map((word) => word.toString(36))
        .join('')
      setFigures(NOTHING)
      return downloadRows(asked, kind, {
        progressId: progressId.current,
        signal: controller.signal,
        onBytes: (bytes) => setFigures(({ rows }) => ({ rows, bytes })),
      })
    },
    onSuccess(done) {
      saveFile(done)
      onSaved(done.name)
    },
  })
  useEffect(() => () => stop.current?.abort(), [])
  const isGivenUp = file.error?.name === 'AbortError'
  return {
    figures,
    isRunning: file.isPending,
    error: isGivenUp ? null : file.error,
    start: (wanted: Wanted) => file.mutate(wanted),
    cancel: () => stop.current?.abort(),
  }
}
