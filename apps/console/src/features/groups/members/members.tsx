import { Alert } from 'antd'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { MemberList } from './member-list.tsx'
import { useKnownDevices } from './use-known-devices.ts'

/** The members of a group that the user may only view. */
export function Members({ ids }: { readonly ids: readonly number[] }) {
  const { devices, query } = useKnownDevices(ids)
  if (query.isError) return <Alert type="error" showIcon title={toFailureText(query.error)} />
  return <MemberList devices={devices} />
}
