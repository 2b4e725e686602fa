// Sends the chosen files in chunks, one after the other, each again when the network fails. The
// answer to the last step brings the owner's thanks.
const form = document.getElementById('deliver')
const problem = document.getElementById('problem')
const progress = document.getElementById('progress')
const { base } = form.dataset
const chunkBytes = Number(form.dataset.chunkBytes)
const attemptsMax = 8
const unreachable = 'The service could not be reached. Try again in a moment.'
/** What may be otherwise in a moment: a limit of requests, a restart, a proxy without its server. */
const passing = new Set([408, 429, 500, 502, 503, 504])

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The answer as an object; throws an Error with the service's own words. */
async function call(path, options) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(base + path, { method: 'POST', ...options }).catch(() => null)
    const body = await answer?.json().catch(() => null)
    if (answer?.ok && body) return body
    const mayPass = !answer || passing.has(answer.status)
    if (!mayPass || attempt >= attemptsMax) throw new Error(body?.error ?? unreachable)
    const seconds = Number(answer?.headers.get('Retry-After')) || 2 ** (attempt - 1)
    await wait(Math.min(seconds, 60) * 1000)
  }
}

function callJson(path, body, token) {
  const headers = { 'Content-Type': 'application/json' }
  if (token) headers.Authorization = `Bearer ${token}`
  return call(path, { headers, body: JSON.stringify(body) })
}

async function sendFile(file, fileId, token, onSent) {
  const count = Math.ceil(file.size / chunkBytes)
  for (let index = 0; index < count; index += 1) {
    const data = file.slice(index * chunkBytes, (index + 1) * chunkBytes)
    const body = new FormData()
    body.append('chunkIndex', String(index))
    body.append('fileName', file.name)
    body.append('fileId', fileId)
    body.append('chunk', data, 'blob')
    await call('/chunk', { headers: { Authorization: `Bearer ${token}` }, body })
    onSent(data.size)
  }
}

async function deliver(files) {
  const total = files.reduce((sum, file) => sum + file.size, 0)
  let sent = 0
  const { uploadToken } = await callJson('/init', {
    senderName: document.getElementById('sender-name').value,
    senderEmail: document.getElementById('sender-email').value,
    note: document.getElementById('note').value,
  })
  const listed = files.map((file, place) => ({
    fileId: `file-${place}`,
    fileName: file.name,
    originalName: file.name,
    size: file.size,
    mimeType: file.type,
  }))
  for (const [place, file] of files.entries()) {
    await sendFile(file, listed[place].fileId, uploadToken, (bytes) => {
      sent += bytes
      progress.value = sent / total
    })
  }
  return callJson('/finalize', { files: listed }, uploadToken)
}

async function submit() {
  problem.textContent = ''
  progress.hidden = false
  progress.value = 0
  const button = form.querySelector('button')
  button.disabled = true
  try {
    const { thankYouMessage } = await deliver([...document.getElementById('files').files])
    form.hidden = true
    document.getElementById('thanks').textContent = thankYouMessage || 'Your files have arrived.'
  } catch (error) {
    problem.textContent = error.message
  } finally {
    button.disabled = false
    progress.hidden = true
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void submit()
})
