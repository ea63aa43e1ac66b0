# Puts an option file in its place, unless cnflint, which looks at it on the host, is against it.
template '/etc/mysql/conf.d/site.cnf' do
  source 'site.cnf.erb'
  owner 'root'
  group 'root'
  mode '0644'
  variables buffer_pool: node['site_mysql']['buffer_pool']
  verify '/usr/bin/cnflint --as /etc/mysql/conf.d/site.cnf --server mariadb-10.11 --detect --disk ssd --require ram,disk,server %{path}'
end
