import { Button, type ButtonProps } from 'antd'
import { useRef } from 'react'

interface FileButtonProps extends Omit<ButtonProps, 'onClick' | 'title'> {
  readonly label: string
  /** Types of files to choose from, as of an HTML input. */
  readonly accept: string
  /** Takes a photo with the camera behind a phone instead of choosing a file. */
  readonly hasCamera?: boolean
  readonly inputTestId?: string
  readonly onFile: (file: File) => void
}

/** Button that lets the user choose a file, or takes one that is dropped on it. */
export function FileButton({
  label,
  accept,
  hasCamera = false,
  inputTestId,
  onFile,
  ...button
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (file) onFile(file)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        {...(hasCamera && { capture: 'environment' })}
        hidden
        aria-label={label}
        data-testid={inputTestId}
        onChange={({ target }) => {
          take(target.files)
          // The same file may be chosen again.
          target.value = ''
        }}
      />
      <Button
        {...button}
        onClick={() => input.current?.click()}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          take(event.dataTransfer.files)
        }}
      >
        {label}
      </Button>
    </>
  )
}
