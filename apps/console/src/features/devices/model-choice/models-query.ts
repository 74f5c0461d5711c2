import type { DeviceKind } from '@isotherm/contract/devices'
import { getAllDevModels } from '@isotherm/contract/endpoints/devices/device-models'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'

/** Device models of a kind. */
export const modelsQuery = (kind: DeviceKind) =>
  queryOptions({
    queryKey: ['devices', 'models', kind],
    queryFn: ({ signal }) => call(getAllDevModels, { kind }, { signal }),
  })
