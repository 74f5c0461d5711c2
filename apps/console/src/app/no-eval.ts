import { z } from 'zod'

// zod would otherwise try to compile its checks, which the page's content security policy forbids. It tries while the
// schemas of the contract are created, so this file is imported before them.
z.config({ jitless: true })
