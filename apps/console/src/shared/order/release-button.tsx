import { UnlockOutlined } from '@ant-design/icons'
import type { ValveHold } from '@isotherm/contract/command'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../api/api-error.ts'
import { PlaceList } from '../inputs/place-list.tsx'
import { showNotice } from '../notices/notices.ts'
import { endHolds } from './release-holds.ts'

interface ReleaseButtonProps {
  readonly holds: readonly Pick<ValveHold, 'id' | 'nestaddr'>[]
  /** Query key to refetch afterwards. */
  readonly queryKey: QueryKey
  readonly onReleased?: () => void
}

/** Button that releases holds after a confirmation. The devices do not move. */
export function ReleaseButton({ holds, queryKey, onReleased }: ReleaseButtonProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const release = useMutation({
    mutationFn: () => endHolds(holds.map(({ id }) => id)),
    onSuccess: () => onReleased?.(),
    onError: (error) => showNotice('error', toFailureText(error)),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <Popconfirm
      title={t('order.releaseSure', { count: holds.length })}
      description={
        <>
          {t('order.releaseMeans')}
          <PlaceList places={holds.map(({ nestaddr }) => nestaddr)} />
        </>
      }
      okText={t('order.release')}
      cancelText={t('order.keep')}
      onConfirm={() => release.mutate()}
    >
      <Button
        size="small"
        icon={<UnlockOutlined />}
        loading={release.isPending}
        disabled={holds.length === 0}
        data-testid="release-hold"
      >
        {holds.length > 1 ? t('order.releaseSome', { count: holds.length }) : t('order.release')}
      </Button>
    </Popconfirm>
  )
}
