import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/setup.ts'
import { common } from './common.ts'
import { disk } from './disk.ts'

export const texts = {
  ...common,
  ...disk,
  'setup.account_title': 'Créez le compte administrateur',
  'common.step': 'Étape {n} sur {all}',
  'setup.account_text': 'Le premier compte administre ce service.',
  'setup.account_action': 'Créer le compte',
  'setup.password_hint':
    'Au moins 8 caractères. Quelques mots sont faciles à retenir et difficiles à deviner.',
  'setup.token': 'Jeton d’installation',
  'setup.token_hint':
    'Il se trouve dans le journal du service, après « token= » dans la ligne qui commence par ' +
    '« setup: ».',
  'setup.no_token':
    'Il manque le jeton d’installation dans cette adresse. Copiez l’adresse entière du journal, ' +
    'ou saisissez le jeton.',
  'setup.wrong_token':
    'Jeton d’installation incorrect. Chaque démarrage du service en crée un nouveau : utilisez ' +
    'la dernière ligne « setup: » du journal.',
  'setup.taken':
    'Ce service a été configuré entre-temps. Rien de ce que vous avez saisi n’a été enregistré.',
  'setup.address_title': 'Nom et adresse',
  'setup.app_name': 'Nom du service',
  'setup.app_name_hint': 'Affiché sur chaque page et dans chaque e-mail.',
  'setup.other_address':
    'Vous avez ouvert cette page à l’adresse {here}, mais les liens commenceront par {address}. ' +
    'Si les destinataires ne peuvent pas atteindre cette adresse, corrigez BASE_URL et ' +
    'redémarrez le service.',
  'setup.links_begin': 'Les liens commencent par {address}.',
  'setup.plain_http':
    'Cette adresse n’est pas chiffrée : les fichiers et les mots de passe sont lisibles en ' +
    'transit. Sur un réseau qui n’est pas de confiance, placez un proxy HTTPS devant le service ' +
    'et réglez BASE_URL sur son adresse https.',
  'setup.no_cookie':
    'BASE_URL commence par https, donc les navigateurs ne gardent votre session ouverte qu’à ' +
    'cette adresse. Terminez la configuration ici, puis connectez-vous sur {address}.',
  'setup.proxy_believed': 'Le service est derrière un proxy de confiance. Votre adresse est {ip}.',
  'setup.proxy_ignored':
    'Le service est derrière un proxy que TRUST_PROXY n’indique pas. Tout le monde a donc ' +
    'l’adresse {ip}, et les mots de passe incorrects d’une personne bloquent tout le monde. ' +
    'Réglez TRUST_PROXY sur l’adresse du proxy et redémarrez le service.',
  'setup.proxy_silent':
    'TRUST_PROXY est défini, mais cette requête de {ip} n’a pas d’en-tête X-Forwarded-For. S’il ' +
    'y a un proxy, configurez-le pour qu’il envoie cet en-tête.',
  'setup.limits_title': 'Stockage et limites',
  'setup.share_limit': 'Taille maximale d’un partage (Go)',
  'setup.quota': 'Quota de stockage par compte (Go)',
  'setup.unlimited': 'Laissez vide pour aucune limite.',
  'setup.expiry': 'Les liens expirent après',
  'setup.expiry_hint': 'Sauf autre choix à l’envoi. Laissez vide pour aucune expiration.',
  'setup.unit': 'Unité',
  'setup.unit.Hours': 'heures',
  'setup.unit.Days': 'jours',
  'setup.unit.Weeks': 'semaines',
  'setup.unit.Months': 'mois',
  'setup.mail_title': 'E-mail',
  'setup.mail_text':
    'Avec un serveur SMTP, le service peut envoyer des liens par e-mail, annoncer les dépôts et ' +
    'réinitialiser les mots de passe. Vous pouvez aussi le configurer plus tard.',
  'setup.smtp_host': 'Serveur SMTP',
  'setup.smtp_port': 'Port',
  'setup.smtp_security': 'Chiffrement',
  'setup.security.starttls': 'STARTTLS (port 587)',
  'setup.security.tls': 'TLS (port 465)',
  'setup.security.none': 'Aucun : les e-mails sont lisibles en transit',
  'setup.smtp_user': 'Nom d’utilisateur',
  'setup.smtp_user_hint': 'Laissez vide si le serveur n’en demande pas.',
  'setup.smtp_from': 'Adresse d’expédition',
  'setup.smtp_from_hint': 'Par exemple fichiers@example.org',
  'setup.test': 'Enregistrer et envoyer un test',
  'setup.test_sent': 'Le serveur a accepté l’e-mail à {email}. Sa réponse :',
  'setup.test_failed': 'L’e-mail n’a pas été envoyé :',
  'setup.skip': 'Passer',
  'setup.done_title': 'Votre service est prêt',
  'setup.done_text':
    'Envoyez un fichier pour vérifier que tout fonctionne. Ajoutez ensuite des comptes pour ' +
    'les personnes qui l’utiliseront.',
  'setup.add_accounts': 'Ajouter des comptes',
  'setup.first_file': 'Envoyer votre premier fichier',
  'setup.sign_in': 'Se connecter',
  'setup.closed_title': 'Ce service est déjà configuré',
  'setup.closed_text':
    'Si vous avez un compte, connectez-vous. Sinon, adressez-vous à l’exploitant de ce service.',
} satisfies Same<typeof english>
