import { DownloadOutlined } from '@ant-design/icons'
import { exportCampaign } from '@isotherm/contract/endpoints/control/balancing'
import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../../shared/api/api-error.ts'
import { download } from '../../../../shared/api/client.ts'
import { useLanguage } from '../../../../shared/i18n/i18n.ts'
import { showNotice } from '../../../../shared/notices/notices.ts'
import { saveFile } from '../../../../shared/ui/save-file.ts'

/** Button that exports the report of a campaign as a workbook. */
export function ExportButton({ id }: { readonly id: number }) {
  const { t } = useTranslation('balancing')
  const language = useLanguage()
  const file = useMutation({
    mutationFn: () => download(exportCampaign, { id, language }),
    onSuccess(done) {
      saveFile(done)
      showNotice('success', t('campaign.report.saved', { name: done.name }))
    },
    onError: (error) => showNotice('error', toFailureText(error)),
  })
  return (
    <Button
      icon={<DownloadOutlined />}
      loading={file.isPending}
      data-testid="campaign-export"
      onClick={() => file.mutate()}
    >
      {t('campaign.report.xlsx')}
    </Button>
  )
}
