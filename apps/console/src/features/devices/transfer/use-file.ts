import type { Endpoint } from '@isotherm/contract/endpoint'
import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import type { z } from 'zod'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { download } from '../../../shared/api/client.ts'
import { recordUse } from '../../../shared/api/record-use.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { saveFile } from '../../../shared/ui/save-file.ts'

/** Downloads a file and saves it; a failure is shown as a notice. `recorded`: it is an export for the operation log. */
export function useFile<Input extends z.ZodType>(endpoint: Endpoint<Input, z.ZodType>, recorded = false) {
  const { pathname } = useLocation()
  return useMutation({
    mutationFn: (input: z.input<Input>) => download(endpoint, input),
    onSuccess(file) {
      saveFile(file)
      if (recorded) recordUse({ kind: 'export', path: pathname, title: file.name })
    },
    onError: (error) => showNotice('error', toFailureText(error)),
  })
}
