# Puts an option file in its place, unless cnflint, which looks at it on the host, is against it.
class site_mysql (String $buffer_pool = '16G') {
  file { '/etc/mysql/conf.d/site.cnf':
    ensure       => file,
    owner        => 'root',
    group        => 'root',
    mode         => '0644',
    content      => "[mysqld]\ninnodb_buffer_pool_size = ${buffer_pool}\n",
    validate_cmd => '/usr/bin/cnflint --as /etc/mysql/conf.d/site.cnf --server mariadb-10.11 --detect --disk ssd --require ram,disk,server --format short %',
  }
}
