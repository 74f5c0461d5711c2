import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLiveNotifications } from '../../../shared/live/use-live.ts'
import { saveFile } from '../../../shared/ui/save-file.ts'
import { downloadRows, type ExportRequest, type FileKind } from './export-query.ts'

interface Export {
  readonly request: ExportRequest
  readonly kind: FileKind
}

/** Progress of an export: rows written by the server, bytes received. */
export interface ExportFigures {
  readonly rows: number
  readonly bytes: number
}

const NOTHING: ExportFigures = { rows: 0, bytes: 0 }

/** Downloads a file with its progress. Leaving the page cancels it. */
export function useExport(onSaved: (name: string) => void) {
  const [figures, setFigures] = useState(NOTHING)
  const stop = useRef<AbortController>(undefined)
  const progressId = useRef('')
  useLiveNotifications((notification) => {
    if (notification.type !== 'export' || notification.progressId !== progressId.current) return
    setFigures(({ bytes }) => ({ bytes, rows: notification.rows }))
  })
  const file = useMutation({
    mutationFn({ request, kind }: Export) {
      const controller = new AbortController()
      stop.current = controller
      // Not randomUUID: over plain HTTP the browser does not offer it.
      progressId.current = [...crypto.getRandomValues(new Uint32Array(3))]
        .map((word) => word.toString(36))
        .join('')
      setFigures(NOTHING)
      return downloadRows(request, kind, {
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
  const isCancelled = file.error?.name === 'AbortError'
  return {
    figures,
    isRunning: file.isPending,
    error: isCancelled ? null : file.error,
    start: (request: Export) => file.mutate(request),
    cancel: () => stop.current?.abort(),
  }
}
