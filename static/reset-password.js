// Sets a new password with the token in the address's fragment, which browsers do not send to
// servers or proxies.
const form = document.getElementById('reset')
const problem = document.getElementById('problem')

async function setPassword() {
  problem.textContent = ''
  const { password } = Object.fromEntries(new FormData(form))
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
  const answer = await fetch('/api/auth/password-reset/complete', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, password }),
  }).catch(() => null)
  if (answer?.ok) return location.assign('/')
  const text = (await answer?.json().catch(() => null))?.error
  problem.textContent = text ?? 'The service could not be reached. Try again in a moment.'
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void setPassword()
})
